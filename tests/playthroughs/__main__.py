"""Write the playthroughs: `python -m tests.playthroughs`, then read the difference."""

from tests.playthroughs.files import PLAYTHROUGHS, path


def main() -> None:
    for name, playthrough in PLAYTHROUGHS.items():
        path(name).write_text(playthrough.text(), encoding="utf-8")


if __name__ == "__main__":
    main()
