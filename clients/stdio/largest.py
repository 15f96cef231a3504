"""Plays the choice with the most parts, all of them.  It needs Python and none of rivalry's packages."""

import json
import sys

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "match":
        print(f"seat {told['seat']} of {told['seats']}, {told['game']}", file=sys.stderr)
    elif told["type"] == "prompt":
        most = [choice.get("most", 0) for choice in told["choices"]]
        index = most.index(max(most))
        answer = {"index": index, "note": told["kind"]}
        if most[index]:
            answer["parts"] = list(range(most[index]))
        print(json.dumps(answer), flush=True)
    elif told["type"] == "ended":
        print(f"rank {told['rank']}, score {told['score']}", file=sys.stderr)
