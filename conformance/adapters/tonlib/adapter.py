"""
tonlib before the suite. Each case has a process of its own: tonlib keeps validator sets it has read by their hash, so that what one case has shown would stand in for what
another leaves out. A refusal counts only if a control, a case of the same operation that tonlib accepts, is accepted in the same way right after it.
"""
import json
import multiprocessing
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

VERSION = "0.0.72"
PARALLEL = 3
SECONDS = 6
HERE = os.path.dirname(os.path.abspath(__file__))
CONTROLS = json.load(open(os.path.join(HERE, "controls.json"), encoding="utf-8"))


def in_process(operation, given, out):
    """Runs in a process of its own. It sends nothing when tonlib says nothing."""
    import judged

    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # tonlib's log
    try:
        out.send({"result": "accept", "value": judged.OPERATIONS[operation](given)})
    except judged.Refused as why:
        out.send({"result": "reject", "detail": str(why)[:400]})
    except judged.Unsupported as why:
        out.send({"result": "unsupported", "detail": str(why)})
    except judged.Silent:
        pass
    os._exit(0)


def verdict(context, operation, given):
    """What a fresh tonlib says; None when it says nothing in its time. @raises RuntimeError when it ends its process"""
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=in_process, args=(operation, given, send))
    process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(SECONDS) else None
    except EOFError:
        process.join()
        if process.exitcode != 0:
            raise RuntimeError(f"tonlib ended its process: exit code {process.exitcode}") from None
        return None
    finally:
        process.kill()
        process.join()


def main():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["judged"])
    lock = threading.Lock()

    def say(answer):
        with lock:
            print(json.dumps(answer), flush=True)

    def judge(case):
        operation = case["operation"]
        try:
            said = verdict(context, operation, case["input"])
            if said is None:
                return  # no answer is none: the runner sees it
            if said["result"] == "reject" and verdict(context, operation, CONTROLS[operation])["result"] != "accept":
                raise RuntimeError("the control was not accepted")
            say({"id": case["id"], **said})
        except Exception as why:
            print(f"{case['id']}: {why}", file=sys.stderr, flush=True)
            os._exit(1)

    say({"implementation": "tonlib", "version": VERSION, "language": "C++", "operations": list(CONTROLS)})
    with ThreadPoolExecutor(PARALLEL) as pool:
        for line in sys.stdin:
            pool.submit(judge, json.loads(line))


if __name__ == "__main__":
    main()
