// Command owner writes rows into PostgreSQL while it leads an election, through the agent of this host.
//
//	owner SOCKET ELECTION
//
// PGHOST, PGUSER, PGDATABASE and so on name the database. TERM or INT ends it in order.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq"
)

const (
	ttlMs = 3000
	pause = 100 * time.Millisecond
)

// now is the time since boot, in steps of 10 ms. This clock runs on through a suspend; the monotonic one in time.Now does not.
func now() time.Duration {
	var seconds float64
	text, err := os.ReadFile("/proc/uptime")
	if err == nil {
		_, err = fmt.Sscan(string(text), &seconds)
	}
	if err != nil {
		log.Fatal(err)
	}
	return time.Duration(seconds * float64(time.Second))
}

func ms(count int64) time.Duration { return time.Duration(count) * time.Millisecond }

// An owner stands in one election. The caller works between two heartbeats, for as long as left says.
type owner struct {
	client          http.Client
	campaign, id    string
	token, ended    int64
	every, due, end time.Duration
}

func newOwner(socket, election string) *owner {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	return &owner{
		client:   http.Client{Timeout: time.Second, Transport: &http.Transport{DialContext: dial}},
		campaign: "http://localhost/v1/elections/" + url.PathEscape(election) + "/campaign",
	}
}

func (o *owner) left() time.Duration { return o.end - ms(10) - now() }

type answer struct {
	Status                             int
	ID, Detail                         string
	HeartbeatMs, HoldsMs, Token, Ended int64
	Leads                              bool
}

// ask tells the status 0 if no answer came.
func (o *owner) ask(method, path, body string) (a answer) {
	request, err := http.NewRequest(method, o.campaign+path, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	response, err := o.client.Do(request)
	if err != nil {
		return answer{}
	}
	defer response.Body.Close()
	if json.NewDecoder(response.Body).Decode(&a) != nil {
		return answer{}
	}
	a.Status = response.StatusCode
	return a
}

func (o *owner) stand() {
	a := o.ask("POST", "", fmt.Sprintf(`{"ttlMs":%d,"name":"owner-%d"}`, ttlMs, os.Getpid()))
	if a.Status == http.StatusCreated {
		o.id, o.every = a.ID, ms(a.HeartbeatMs)
	} else if a.Status >= 400 && a.Status < 500 {
		log.Fatal(a.Detail)
	}
}

// beat stands, or sends a heartbeat. Nothing of ours runs meanwhile, so it may say that the work has stopped.
func (o *owner) beat() {
	if o.id == "" {
		o.stand()
	}
	if o.id == "" {
		return
	}
	sent, said := now(), "{}"
	o.due = sent + o.every/2
	if o.ended != 0 {
		said = fmt.Sprintf(`{"stopped":%d}`, o.ended)
	}
	a := o.ask("POST", "/"+o.id, said)
	if a.Status == 0 {
		return // the last answer is worth what it was
	}
	o.end, o.ended = 0, a.Ended
	if a.Leads {
		o.token, o.end = a.Token, sent+ms(a.HoldsMs)
	} else if a.Ended != 0 {
		o.due = 0
	} else if a.Status == http.StatusNotFound {
		o.id, o.due = "", 0
	}
}

// leave withdraws. This also says that the work has stopped.
func (o *owner) leave() {
	if o.id != "" {
		o.ask("DELETE", "/"+o.id, "")
	}
}

// write adds one row. Once a later leader is announced, PostgreSQL refuses the whole transaction.
func write(ctx context.Context, db *sql.DB, election string, token, number int64) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after a commit
	if _, err := tx.ExecContext(ctx, "SELECT incumbent.admit($1, $2)", election, token); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO ledger(token, number) VALUES ($1, $2)", token, number); err != nil {
		return err
	}
	return tx.Commit()
}

func main() {
	socket, election := os.Args[1], os.Args[2]
	db, err := sql.Open("postgres", "connect_timeout=2")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	o := newOwner(socket, election)
	defer o.leave()
	for number := int64(0); ctx.Err() == nil; time.Sleep(pause) {
		if now() >= o.due {
			o.beat()
		}
		if left := o.left(); left > 0 {
			bounded, cancel := context.WithTimeout(ctx, left)
			if err := write(bounded, db, election, o.token, number); err != nil {
				log.Print(err)
			}
			cancel()
			number++
		}
	}
}
