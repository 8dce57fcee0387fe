#!/usr/bin/env python3
"""owner.py SOCKET ELECTION: writes rows into PostgreSQL while it leads the election, through the agent of this host.

Needs psycopg2. PGHOST, PGUSER, PGDATABASE and so on name the database. TERM or INT ends it in order.
"""
import contextlib
import http.client
import json
import os
import signal
import socket
import sys
import time
import urllib.parse

import psycopg2

TTL_MS = 3000
PAUSE = 0.1
UNANSWERED = OSError, http.client.HTTPException, ValueError


def now():
    """Seconds since boot. This clock runs on through a suspend; time.monotonic() does not."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Connection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path):
        super().__init__('localhost', timeout=1)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Owner:
    """Stands in one election. The caller works between two heartbeats, as long as it holds."""

    def __init__(self, path, election):
        self.path = path
        self.campaign = f'/v1/elections/{urllib.parse.quote(election, safe="")}/campaign'
        self.id, self.token, self.said = None, 0, {}
        self.every = self.due = self.end = 0

    def holds(self):
        return now() < self.end

    def ask(self, method, url, body=None):
        with contextlib.closing(Connection(self.path)) as connection:
            connection.request(method, url, None if body is None else json.dumps(body))
            response = connection.getresponse()
            return response.status, json.load(response)

    def stand(self):
        status, answer = self.ask('POST', self.campaign, {'ttlMs': TTL_MS, 'name': f'owner-{os.getpid()}'})
        if status == 201:
            self.id, self.every = answer['id'], answer['heartbeatMs'] / 1000
        elif status < 500:
            sys.exit(answer['detail'])
        return status == 201

    def beat(self):
        """Stands, or sends a heartbeat. Nothing of ours runs meanwhile, so it may say that the work has stopped."""
        try:
            if self.id is None and not self.stand():
                return
            sent = now()
            self.due = sent + self.every / 2
            status, answer = self.ask('POST', f'{self.campaign}/{self.id}', self.said)
        except UNANSWERED:
            return  # the last answer is worth what it was
        self.end, self.said = 0, {}
        if answer.get('leads'):
            self.token, self.end = answer['token'], sent + answer['holdsMs'] / 1000
        elif 'ended' in answer:
            self.due, self.said = 0, {'stopped': answer['ended']}
        elif status == 404:
            self.due, self.id = 0, None

    def leave(self):
        """Withdraws. This also says that the work has stopped."""
        with contextlib.suppress(*UNANSWERED):
            if self.id is not None:
                self.ask('DELETE', f'{self.campaign}/{self.id}')


def write(db, election, token, number):
    """One row. Once a later leader is announced, PostgreSQL refuses the whole transaction."""
    with db, db.cursor() as cursor:
        cursor.execute('SELECT incumbent.admit(%s, %s)', (election, token))
        cursor.execute('INSERT INTO ledger(token, number) VALUES (%s, %s)', (token, number))


def main(path, election):
    for ending in signal.SIGTERM, signal.SIGINT:
        signal.signal(ending, lambda *_: sys.exit())
    owner, db, number = Owner(path, election), None, 0
    try:
        while True:
            if now() >= owner.due:
                owner.beat()
            try:
                db = db or psycopg2.connect(connect_timeout=2, options='-c statement_timeout=500')
                if owner.holds():
                    write(db, election, owner.token, number)
                    number += 1
            except psycopg2.Error as error:
                print(error, end='', file=sys.stderr)
                if db is not None:
                    db.close()
                db = None
            time.sleep(PAUSE)
    finally:
        owner.leave()


if __name__ == '__main__':
    main(*sys.argv[1:])
