-- The sink's side of fencing in PostgreSQL 13 and later. Runs again without harm, as the role that ran it first.
-- What follows is one transaction; 1229866573 is the first key of all its advisory locks ('INCM').
-- What others may have planted in schemas of the installer's search path is not called.
set local search_path = pg_catalog, pg_temp;
select pg_advisory_xact_lock(1229866573, 0);

-- All that the fence has is in a schema of its own, where nobody but its owner creates: PostgreSQL calls the function whose arguments fit best, wherever it stands.
do $$
begin
  if to_regnamespace('incumbent') is null then
    create schema incumbent;
  elsif exists (select 1 from pg_namespace n join pg_roles r on r.oid = n.nspowner where n.nspname = 'incumbent' and r.rolname = current_user) then
    grant usage, create on schema incumbent to current_user;
  end if;
end $$;

-- A fence that was installed in schema public moves here with its marks, its rights and the guards that call it; its names remain as views and calls of what moved.
do $$
begin
  if to_regclass('incumbent.fence') is null and to_regclass('public.incumbent_sink') is not null
      and to_regclass('public.incumbent_fence') is not null and to_regprocedure('public.incumbent_raise(text, bigint, text)') is not null then
    drop view if exists public.incumbent_admitted;
    alter table public.incumbent_sink set schema incumbent;
    alter table incumbent.incumbent_sink rename to sink;
    alter table public.incumbent_fence set schema incumbent;
    alter table incumbent.incumbent_fence rename to fence;
    alter table incumbent.fence rename constraint incumbent_fence_pkey to fence_pkey;
    alter function public.incumbent_admit(text, bigint) set schema incumbent;
    alter function incumbent.incumbent_admit(text, bigint) rename to admit;
    alter function public.incumbent_raise(text, bigint, text) set schema incumbent;
    alter function incumbent.incumbent_raise(text, bigint, text) rename to raise;
    alter function public.incumbent_guard() set schema incumbent;
    alter function incumbent.incumbent_guard() rename to guard;
    create view public.incumbent_sink as select s.id from incumbent.sink s;
    create view public.incumbent_fence as select f.election, f.token, f.owner, f.raised_at from incumbent.fence f;
    grant select on public.incumbent_sink, public.incumbent_fence to public;
    create function public.incumbent_admit(e text, t bigint) returns void
      language plpgsql volatile set search_path = pg_catalog, pg_temp as 'begin perform incumbent.admit(e, t); end';
    create function public.incumbent_raise(e text, t bigint, o text, out outcome text, out token bigint, out owner text)
      language sql volatile as 'select r.outcome, r.token, r.owner from incumbent.raise(e, t, o) r';
  end if;
end $$;

-- Whoever owns something in this schema may change it at any time.
do $$
declare
  mine oid := (select r.oid from pg_roles r where r.rolname = current_user);
  theirs text;
begin
  select string_agg(o.what || ' of ' || case o.owner when 0 then 'everybody' else pg_get_userbyid(o.owner) end, ', ') into theirs from (
      select 'schema incumbent' as what, n.nspowner as owner from pg_namespace n where n.nspname = 'incumbent'
      union all select c.oid::regclass::text, c.relowner from pg_class c where c.relnamespace = 'incumbent'::regnamespace
      union all select p.oid::regprocedure::text, p.proowner from pg_proc p where p.pronamespace = 'incumbent'::regnamespace
      union all select 'the right to create in schema incumbent', a.grantee from pg_namespace n, aclexplode(n.nspacl) a
        where n.nspname = 'incumbent' and a.privilege_type = 'CREATE') o
    where o.owner <> mine;
  if theirs is not null then
    raise exception 'the fence belongs to whoever installs it, here %, but there is %: install it as that role, or take it away', current_user, theirs
      using errcode = 'IF006';
  end if;
end $$;
-- The functions run with their owner's rights, which somebody may have taken away.
grant all on all tables in schema incumbent to current_user;
grant execute on all functions in schema incumbent to current_user;
grant usage on schema incumbent to public;

create table if not exists incumbent.sink(
  one boolean primary key default true check (one),
  id text not null
);
insert into incumbent.sink(id) values (replace(gen_random_uuid()::text, '-', '')) on conflict do nothing;

create table if not exists incumbent.fence(
  election text collate "C" primary key,
  token bigint not null check (token >= 1),
  owner text collate "C" not null,
  raised_at timestamptz not null,
  idle_ms integer not null default 15000,
  check_ms integer,
  send_ms integer
);
do $$
begin
  if not exists (select 1 from pg_attribute where attrelid = 'incumbent.fence'::regclass and attname = 'idle_ms') then
    alter table incumbent.fence add column idle_ms integer not null default 15000, add column check_ms integer;
  end if;
  if not exists (select 1 from pg_attribute where attrelid = 'incumbent.fence'::regclass and attname = 'send_ms') then
    alter table incumbent.fence add column send_ms integer;
  end if;
end $$;
revoke all on incumbent.sink, incumbent.fence from public;
grant select on incumbent.sink, incumbent.fence to public;

-- Admission, first in a transaction: select incumbent.admit('billing', 7);
-- The shared lock lets the leader's transactions run side by side and queues fairly with a raise. The mark is read by a second statement, whose snapshot is
-- taken once the lock is held; above READ COMMITTED there is only the transaction's own snapshot, and FOR SHARE refuses (40001) where it is too old.
create or replace function incumbent.admit(e text, t bigint) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  m bigint;
  o text;
  idle integer;
  checks integer;
  sends integer;
begin
  perform pg_advisory_xact_lock_shared(1229866573, hashtext(e));
  if current_setting('transaction_isolation') = 'read committed' then
    select f.token, f.owner, f.idle_ms, f.check_ms, f.send_ms into m, o, idle, checks, sends from incumbent.fence f where f.election = e;
  else
    select f.token, f.owner, f.idle_ms, f.check_ms, f.send_ms into m, o, idle, checks, sends from incumbent.fence f where f.election = e for share;
  end if;
  if t = m then
    -- Left idle, busy for a client that is gone, or sending to one that stands still, it would block every raise. A shorter limit of the session's own stays.
    if current_setting('idle_in_transaction_session_timeout')::interval not between interval '1 ms' and idle * interval '1 ms' then
      perform set_config('idle_in_transaction_session_timeout', idle || 'ms', true);
    end if;
    if checks > 0 and current_setting('client_connection_check_interval', true)::interval not between interval '1 ms' and checks * interval '1 ms' then
      perform set_config('client_connection_check_interval', checks || 'ms', true);
    end if;
    -- PostgreSQL tells this one in milliseconds, without a unit, and as 0 on a Unix socket.
    if sends > 0 and current_setting('tcp_user_timeout')::integer not between 1 and sends then
      perform set_config('tcp_user_timeout', sends || 'ms', true);
    end if;
    perform set_config('incumbent.x' || md5(e), t::text, true);
    return;
  end if;
  if t < m then
    raise exception 'stale token % of %: the mark is % of %', t, e, m, o using errcode = 'IF001';
  end if;
  raise exception 'token % of % was not raised here: the mark is %', t, e, coalesce(m || ' of ' || o, 'absent') using errcode = 'IF002';
end $$;

-- A raise: select * from incumbent.raise('billing', 8, 'operator:me'); outcome is 'raised', 'refused' or 'too far', beside it the mark in force.
-- The rule of dev.incumbent.fence.MarkRule; a test compares the two.
-- A leader gives its lease in the setting incumbent.lease_ms. A transaction that it admits is ended when it is idle for that long, or when its client takes nothing
-- of a result for that long. Three times in that period a running statement checks whether its client is still there (PostgreSQL 14 or later, on systems that can
-- tell). The raise itself checks only if an earlier statement of its session asked for that: PostgreSQL sets this clock when a statement begins.
create or replace function incumbent.raise(e text, t bigint, o text, out outcome text, out token bigint, out owner text)
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  lease text := current_setting('incumbent.lease_ms', true);
  idle integer;
  checks integer;
  sends integer;
begin
  if coalesce(e, '') = '' or coalesce(t, 0) < 1 or coalesce(o, '') !~ '^(candidate:|freeze:|operator:|thaw:[0-9]+:).' then
    raise exception 'unreadable raise: an election, a token of at least 1, and an owner as candidate:ID, freeze:WHO, thaw:SAW:WHO or operator:WHO'
      using errcode = 'IF006';
  end if;
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform pg_advisory_xact_lock(1229866573, hashtext(e));
  select f.token, f.owner, f.idle_ms into token, owner, idle from incumbent.fence f where f.election = e for update;
  idle := case when lease ~ '^[0-9]{1,18}$' then least(86400000, greatest(1000, lease::bigint)) else coalesce(idle, 15000) end;
  begin
    perform set_config('client_connection_check_interval', '1s', true);
    checks := greatest(1000, idle / 3);
  exception when undefined_object or invalid_parameter_value then
    checks := null;
  end;
  -- Where the system has no such limit, PostgreSQL would log a line each time it is set.
  sends := case when version() like '%linux%' then idle end;
  if token = t and owner = o then
    update incumbent.fence f set idle_ms = idle, check_ms = checks, send_ms = sends
      where f.election = e and (f.idle_ms, f.check_ms, f.send_ms) is distinct from (idle, checks, sends);
    outcome := 'raised';
  elsif token >= t or (owner like 'freeze:%' and not (o like 'freeze:%' or o like 'thaw:' || token || ':%')) then
    outcome := 'refused';
  elsif t - coalesce(token, 0) > 4294967296 then
    outcome := 'too far';
  else
    insert into incumbent.fence as f(election, token, owner, raised_at, idle_ms, check_ms, send_ms) values (e, t, o, clock_timestamp(), idle, checks, sends)
      on conflict on constraint fence_pkey do update set token = excluded.token, owner = excluded.owner, raised_at = excluded.raised_at,
        idle_ms = excluded.idle_ms, check_ms = excluded.check_ms, send_ms = excluded.send_ms;
    outcome := 'raised';
    token := t;
    owner := o;
  end if;
end $$;
revoke execute on function incumbent.raise(text, bigint, text) from public;

-- Who holds up a raise: each transaction that is admitted, the oldest first.
create or replace view incumbent.admitted as
  select f.election, l.pid, a.usename, a.application_name, a.client_addr, a.state, a.xact_start, a.state_change
    from incumbent.fence f
    join pg_catalog.pg_locks l on l.locktype = 'advisory' and l.classid = 1229866573 and l.objsubid = 2 and l.granted
      and l.objid = (hashtext(f.election)::bigint & 4294967295)::oid
      and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
    left join pg_catalog.pg_stat_activity a on a.pid = l.pid
    order by a.xact_start;
grant select on incumbent.admitted to public;

-- The guard of a table: refuses each statement of a transaction that was not admitted, and asks again for one that was.
create or replace function incumbent.guard() returns trigger
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  borne text := current_setting('incumbent.x' || md5(tg_argv[0]), true);
begin
  if coalesce(borne, '') !~ '^[0-9]{1,18}$' then
    raise exception 'not admitted: % of % is refused in a transaction without an admitted token of %', lower(tg_op), tg_table_name, tg_argv[0]
      using errcode = 'IF003';
  end if;
  perform incumbent.admit(tg_argv[0], borne::bigint);
  return null;
end $$;
revoke execute on function incumbent.guard() from public;
