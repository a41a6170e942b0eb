// Plays scripts by the peers' rules: after each move what the seat to act may do, then the points and the views.
//
//     node same_rules.mjs < [[script, every move there is], …]     prints [{legal, points, views}, …]

import { readFileSync } from "node:fs";
import { act, begin, view } from "../../../bench/peers/clocktowers.mjs";

const [scripts, moves] = JSON.parse(readFileSync(0, "utf8"));
const played = scripts.map((script) => {
  const match = begin(script.piles);
  const legal = script.moves.map((move, at) => {
    const allowed = moves.filter((one) => act(structuredClone(match), script.seats[at], one));
    act(match, script.seats[at], move);
    return allowed;
  });
  return { legal, phase: match.phase, points: match.points, views: [view(match, 0), view(match, 1)] };
});
console.log(JSON.stringify(played));
