"""agent-owner.py PORT ELECTION [NAME]: an owner that stands through the agent on that port, and leaves by TERM. The agent's token is in the variable TOKEN."""
import json
import os
import signal
import sys
import time
import urllib.parse
import urllib.request

port, election, name = (*sys.argv[1:], 'owner')[:3]
url = f'http://127.0.0.1:{port}/v1/elections/{urllib.parse.quote(election, safe="")}/campaign'


def ask(method, path, body=None):
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(url + path, data, {'Authorization': 'Bearer ' + os.environ['TOKEN']}, method=method)
    return json.load(urllib.request.urlopen(request, timeout=2))


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
while True:
    try:
        mine = '/' + ask('POST', '', {'ttlMs': 3000, 'name': name})['id']
        try:
            said = {}
            while True:
                answer = ask('POST', mine, said)
                said = {'stopped': answer['ended']} if 'ended' in answer else {}
                time.sleep(0.3)
        except SystemExit:
            ask('DELETE', mine)
            raise
    except (OSError, ValueError):
        time.sleep(0.3)
