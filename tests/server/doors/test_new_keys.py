"""Who asks inside TLS for new keys and says nothing is let go: each costs the server, and none is a
message that anything else would count."""

from asyncio import get_running_loop

from msgspec.structs import replace

from bench.attacks.at_doors import Rekeying
from bench.attacks.plan import Report
from tests.stage.house import HASTY, eventually, house, new_folder_with_key

PATIENT = replace(HASTY, hello_s=1e6)
FLOOD = 2000


async def test_a_flood_of_new_keys_ends_the_line_and_nobody_else_s() -> None:
    report = Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        ann = await at.peer("Ann")
        await get_running_loop().create_connection(lambda: Rekeying(report, FLOOD), *at.address)
        await eventually(lambda: bool(report.asked))
        await eventually(lambda: not report.open)
        await ann.answered()
        await ann.close()


async def test_a_few_do_not() -> None:
    report = Report()
    async with house(folder=new_folder_with_key(), limits=PATIENT) as at:
        await get_running_loop().create_connection(lambda: Rekeying(report, 10), *at.address)
        await eventually(lambda: report.asked > 200)
        assert report.open
