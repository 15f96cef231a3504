"""A bot as a program, scripted: ``program.py HOW``.  Says its process id on stderr."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import grpc.aio

from rivalry.arena.v1 import play_pb2, session_pb2

FromBot = session_pb2.FromBot


async def play(how: str) -> None:
    token = os.environ["RIVALRY_TOKEN"]
    async with grpc.aio.insecure_channel(os.environ["RIVALRY_ADDRESS"]) as channel:
        call = channel.stream_stream(
            "/rivalry.arena.v1.ArenaService/Play",
            play_pb2.PlayRequest.SerializeToString,
            play_pb2.PlayResponse.FromString,
        )(metadata=(("authorization", f"Bearer {token}"),))
        versions = session_pb2.VersionRange(least=1, most=1)
        if how == "speaks-otherwise":
            versions = session_pb2.VersionRange(least=9, most=9)
        greeting = FromBot(hello=session_pb2.Hello(name="program", protocol=versions))
        await call.write(play_pb2.PlayRequest(messages=[greeting]))
        async for frame in call:
            for message in frame.messages:
                if message.HasField("seat_offer"):
                    reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                    if how.startswith("declines"):
                        reply = session_pb2.SeatReply(offer=message.seat_offer.offer, why="too tired")
                    await call.write(play_pb2.PlayRequest(messages=[FromBot(seat_reply=reply)]))
                    if how == "declines-and-runs":
                        return
                elif message.HasField("prompt"):
                    if how == "exits":
                        os._exit(3)
                    if how == "killed":
                        os.kill(os.getpid(), signal.SIGKILL)
                    if how.startswith("hangs-up"):
                        call.cancel()
                        await asyncio.sleep(60 if how.endswith("stays") else 0)
                        return
                    answer = session_pb2.Answer(match=message.prompt.match, number=message.prompt.number, index=0)
                    await call.write(play_pb2.PlayRequest(messages=[FromBot(answer=answer)]))


def main() -> None:
    how = sys.argv[1]
    print("my pid", os.getpid(), file=sys.stderr, flush=True)
    if how == "never-dials":
        return
    if how == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            signal.pause()
    if "talks" in sys.argv:
        print("hello \x1b[2Jthere", flush=True)
        child = subprocess.Popen(["sleep", "600"])
        print("its pid", child.pid, flush=True)
    asyncio.run(play(how))


main()
