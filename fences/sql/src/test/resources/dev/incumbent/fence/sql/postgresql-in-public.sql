-- The sink's side of fencing in PostgreSQL 13 and later. Runs again without harm, as the role that ran it first.
-- What follows is one transaction; 1229866573 is the first key of all its advisory locks ('INCM').
select pg_advisory_xact_lock(1229866573, 0);

-- PostgreSQL calls the function whose arguments fit best: another of the same name may be called in the place of ours.
do $$
declare beside text;
begin
  select string_agg(p.oid::regprocedure::text, ', ') into beside from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname in ('incumbent_admit', 'incumbent_raise', 'incumbent_guard')
    and p.oid <> all (array[coalesce(to_regprocedure('public.incumbent_admit(text, bigint)'), 0), coalesce(to_regprocedure('public.incumbent_raise(text, bigint, text)'), 0),
      coalesce(to_regprocedure('public.incumbent_guard()'), 0)]::oid[]);
  if beside is not null then
    raise exception 'schema public holds %, which would be called in the place of Incumbent''s: drop it, and let nobody else create in that schema', beside
      using errcode = 'IF006';
  end if;
end $$;

create table if not exists public.incumbent_sink(
  one boolean primary key default true check (one),
  id text not null
);
insert into public.incumbent_sink(id) values (replace(gen_random_uuid()::text, '-', '')) on conflict do nothing;

create table if not exists public.incumbent_fence(
  election text collate "C" primary key,
  token bigint not null check (token >= 1),
  owner text collate "C" not null,
  raised_at timestamptz not null
);
revoke all on public.incumbent_sink, public.incumbent_fence from public;
grant select on public.incumbent_sink, public.incumbent_fence to public;

-- Admission, first in a transaction: select incumbent_admit('billing', 7);
-- The shared lock lets the leader's transactions run side by side and queues fairly with a raise. The mark is read by a second statement, whose snapshot is
-- taken once the lock is held; above READ COMMITTED there is only the transaction's own snapshot, and FOR SHARE refuses (40001) where it is too old.
create or replace function public.incumbent_admit(e text, t bigint) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  m bigint;
  o text;
begin
  perform pg_advisory_xact_lock_shared(1229866573, hashtext(e));
  if current_setting('transaction_isolation') = 'read committed' then
    select f.token, f.owner into m, o from public.incumbent_fence f where f.election = e;
  else
    select f.token, f.owner into m, o from public.incumbent_fence f where f.election = e for share;
  end if;
  if t = m then
    -- Left idle it would block every raise. A shorter limit of the session's own stays.
    perform
      set_config('idle_in_transaction_session_timeout',
        case when current_setting('idle_in_transaction_session_timeout')::interval between interval '1 ms' and interval '15 s'
          then current_setting('idle_in_transaction_session_timeout') else '15s' end, true),
      set_config('incumbent.x' || md5(e), t::text, true);
    return;
  end if;
  if t < m then
    raise exception 'stale token % of %: the mark is % of %', t, e, m, o using errcode = 'IF001';
  end if;
  raise exception 'token % of % was not raised here: the mark is %', t, e, coalesce(m || ' of ' || o, 'absent') using errcode = 'IF002';
end $$;

-- A raise: select * from incumbent_raise('billing', 8, 'operator:me'); outcome is 'raised', 'refused' or 'too far', beside it the mark in force.
-- The rule of dev.incumbent.fence.MarkRule; a test compares the two.
create or replace function public.incumbent_raise(e text, t bigint, o text, out outcome text, out token bigint, out owner text)
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(e, '') = '' or coalesce(t, 0) < 1 or coalesce(o, '') !~ '^(candidate:|freeze:|operator:|thaw:[0-9]+:).' then
    raise exception 'unreadable raise: an election, a token of at least 1, and an owner as candidate:ID, freeze:WHO, thaw:SAW:WHO or operator:WHO'
      using errcode = 'IF006';
  end if;
  if current_setting('synchronous_commit') not in ('on', 'remote_apply') then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  perform pg_advisory_xact_lock(1229866573, hashtext(e));
  select f.token, f.owner into token, owner from public.incumbent_fence f where f.election = e for update;
  if token = t and owner = o then
    outcome := 'raised';
  elsif token >= t or (owner like 'freeze:%' and not (o like 'freeze:%' or o like 'thaw:' || token || ':%')) then
    outcome := 'refused';
  elsif t - coalesce(token, 0) > 4294967296 then
    outcome := 'too far';
  else
    insert into public.incumbent_fence as f(election, token, owner, raised_at) values (e, t, o, clock_timestamp())
      on conflict on constraint incumbent_fence_pkey do update set token = excluded.token, owner = excluded.owner, raised_at = excluded.raised_at;
    outcome := 'raised';
    token := t;
    owner := o;
  end if;
end $$;
revoke execute on function public.incumbent_raise(text, bigint, text) from public;

-- Who holds up a raise: each transaction that is admitted, the oldest first.
create or replace view public.incumbent_admitted as
  select f.election, l.pid, a.usename, a.application_name, a.client_addr, a.state, a.xact_start, a.state_change
    from public.incumbent_fence f
    join pg_catalog.pg_locks l on l.locktype = 'advisory' and l.classid = 1229866573 and l.objsubid = 2 and l.granted
      and l.objid = (hashtext(f.election)::bigint & 4294967295)::oid
      and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
    left join pg_catalog.pg_stat_activity a on a.pid = l.pid
    order by a.xact_start;
grant select on public.incumbent_admitted to public;

-- The guard of a table: refuses each statement of a transaction that was not admitted, and asks again for one that was.
create or replace function public.incumbent_guard() returns trigger
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp as $$
declare
  borne text := current_setting('incumbent.x' || md5(tg_argv[0]), true);
begin
  if coalesce(borne, '') !~ '^[0-9]{1,18}$' then
    raise exception 'not admitted: % of % is refused in a transaction without an admitted token of %', lower(tg_op), tg_table_name, tg_argv[0]
      using errcode = 'IF003';
  end if;
  perform public.incumbent_admit(tg_argv[0], borne::bigint);
  return null;
end $$;
revoke execute on function public.incumbent_guard() from public;
