-- The sink's side of fencing in MariaDB 10.6 and later, in the database in use. Runs again without harm. A delimiter stands on a line of its own.
delimiter //
create table if not exists incumbent_sink(
  one tinyint not null primary key check (one = 1),
  id varchar(64) character set ascii collate ascii_bin not null
) engine = InnoDB
//
insert into incumbent_sink(one, id) select 1, md5(concat(uuid(), rand())) from dual where not exists (select 1 from incumbent_sink)
//
create table if not exists incumbent_fence(
  election varchar(255) character set ascii collate ascii_bin not null primary key,
  token bigint not null check (token >= 1),
  owner varchar(600) character set utf8mb4 collate utf8mb4_bin not null,
  raised_at datetime(6) not null comment 'UTC',
  idle_s int not null default 15
) engine = InnoDB
//
begin not atomic
  if not exists (select 1 from information_schema.columns where table_schema = database() and table_name = 'incumbent_fence' and column_name = 'idle_s') then
    alter table incumbent_fence add column idle_s int not null default 15;
  end if;
end
//
-- A session's first admission with a token, and every refusal. The lock comes first. A query before it would open the transaction's snapshot, which would be older
-- than a raise that the lock waits for: with innodb_snapshot_isolation the lock would then fail with 1020 and end the transaction, without it the transaction would
-- read what was there before that raise. If the mark is absent, the lock is on its gap and would block the first raise. The rollback to the savepoint gives it back,
-- unless the transaction had used InnoDB before. What was admitted is noted for the guards in @incumbent_admitted, as ;billing=7;
create or replace procedure incumbent_admit_first(
  in e varchar(255) character set ascii collate ascii_bin, in t varchar(64) character set ascii collate ascii_bin)
  sql security definer modifies sql data
begin
  declare m bigint default null;
  declare o varchar(600) character set utf8mb4 collate utf8mb4_bin default null;
  declare said varchar(1000) character set utf8mb4;
  declare noted varchar(4000) character set ascii collate ascii_bin default coalesce(@incumbent_admitted, ';');
  declare starts int;
  declare idle int;
  if @@autocommit and not @@in_transaction then
    set said = left(concat('no transaction: the admission of ', e, ' would end before the write begins'), 128);
    signal sqlstate 'IF003' set message_text = said;
  end if;
  savepoint incumbent_first;
  select token, owner, idle_s into m, o, idle from incumbent_fence where election = e lock in share mode;
  if m is null then
    rollback to savepoint incumbent_first;
  end if;
  release savepoint incumbent_first;
  -- Once a session. Marks may be older than the cluster.
  if @incumbent_admitted is null and exists (select 1 from information_schema.global_variables where variable_name = 'WSREP_ON' and variable_value = 'ON') then
    signal sqlstate 'IF006' set message_text = 'a node of a Galera cluster (wsrep_on is ON): a raise on another node would not wait for this write';
  end if;
  -- Left idle, or sending to a client that stands still, it would block every raise. A shorter limit of the session's own stays.
  if idle > 0 and @@idle_transaction_timeout not between 1 and idle then
    set session idle_transaction_timeout = idle;
  end if;
  if idle > 0 and @@session.net_write_timeout > idle then
    set session net_write_timeout = idle;
  end if;
  if idle > 0 and @@session.net_read_timeout > idle then
    set session net_read_timeout = idle;
  end if;
  if concat(@@global.read_only) not in ('0', 'OFF') then
    signal sqlstate 'HY000' set mysql_errno = 1290, message_text = 'the server is read-only, as a replica is: its mark may be old';
  end if;
  if m is null or t is null or t not like cast(m as char) then
    if t is null or t = '' or t regexp '[^0-9]' or char_length(t) > 19 or m is null or cast(t as unsigned) > m then
      set said = left(concat('token ', coalesce(t, 'null'), ' of ', coalesce(e, 'null'), ' was not raised here: the mark is ', coalesce(concat(m, ' of ', o), 'absent')), 128);
      signal sqlstate 'IF002' set message_text = said;
    end if;
    if cast(t as unsigned) < m then
      set said = left(concat('stale token ', t, ' of ', e, ': the mark is ', m, ' of ', o), 128);
      signal sqlstate 'IF001' set message_text = said;
    end if;
  end if;
  if locate(concat(';', e, '=', m, ';'), noted) = 0 then
    set starts = locate(concat(';', e, '='), noted);
    if starts > 0 then
      set noted = concat(left(noted, starts), substr(noted, locate(';', noted, starts + 1) + 1));
    end if;
    if char_length(noted) > 3000 then
      set noted = ';';
    end if;
    set @incumbent_admitted = concat(noted, e, '=', m, ';');
  end if;
end
//
-- Admission, first in a transaction: call incumbent_admit('billing', 7)
-- The shared row lock queues fairly with a raise. It is one statement where the session was admitted with this token before. Error 1020 comes with the state of
-- all transactions that are to be tried again.
create or replace procedure incumbent_admit(
  in e varchar(255) character set ascii collate ascii_bin, in t varchar(64) character set ascii collate ascii_bin)
  sql security definer modifies sql data
begin
  declare m bigint default null;
  declare idle int;
  declare exit handler for 1020
    signal sqlstate '40001' set mysql_errno = 1020, message_text = 'the transaction read before a raise, and is rolled back: begin again, with the admission first';
  if (@@in_transaction or not @@autocommit) and locate(concat(';', e, '=', t, ';'), @incumbent_admitted) > 0 then
    select token, idle_s into m, idle from incumbent_fence where election = e lock in share mode;
  end if;
  if m is null or t not like m or @@idle_transaction_timeout not between 1 and idle
      or greatest(@@session.net_write_timeout, @@session.net_read_timeout) > idle or concat(@@global.read_only) not in ('0', 'OFF') then
    call incumbent_admit_first(e, t);
  end if;
end
//
-- A raise, outside a transaction: call incumbent_raise('billing', 8, 'operator:me'); outcome is 'raised', 'refused' or 'too far', beside it the mark in force.
-- The rule of dev.incumbent.fence.MarkRule; a test compares the two. A leader gives its lease in @incumbent_lease_ms: a transaction that it admits is ended when
-- it is idle, or its client takes or gives nothing, for that long, in whole seconds.
create or replace procedure incumbent_raise(
  in e varchar(255) character set ascii collate ascii_bin, in t bigint, in o varchar(600) character set utf8mb4 collate utf8mb4_bin)
  sql security definer modifies sql data
begin
  declare m bigint default null;
  declare was varchar(600) character set utf8mb4 collate utf8mb4_bin default null;
  declare outcome varchar(10) character set ascii default 'raised';
  declare idle int default null;
  declare exit handler for sqlexception
  begin
    rollback;
    resignal;
  end;
  if coalesce(e, '') = '' or coalesce(t, 0) < 1 or not coalesce(o, '') regexp '^(candidate:|freeze:|operator:|thaw:[0-9]+:).' then
    signal sqlstate 'IF006' set message_text = 'unreadable raise: an election, a token from 1, an owner as candidate:ID, freeze:WHO, thaw:SAW:WHO or operator:WHO';
  end if;
  if @@in_transaction then
    signal sqlstate 'IF006' set message_text = 'a raise has a transaction of its own: commit or roll back first';
  end if;
  if exists (select 1 from information_schema.global_variables where variable_name = 'WSREP_ON' and variable_value = 'ON') then
    signal sqlstate 'IF006' set message_text = 'a node of a Galera cluster (wsrep_on is ON): a raise here would not wait for writes admitted on another node';
  end if;
  start transaction;
  select token, owner, idle_s into m, was, idle from incumbent_fence where election = e for update;
  set idle = coalesce(least(86400, greatest(1, ceiling(@incumbent_lease_ms / 1000))), idle, 15);
  if m = t and was = o then
    update incumbent_fence set idle_s = idle where election = e and idle_s <> idle;
    set outcome = 'raised';
  elseif m >= t or (was like 'freeze:%' and not (o like 'freeze:%' or o like concat('thaw:', m, ':%'))) then
    set outcome = 'refused';
  elseif t - coalesce(m, 0) > 4294967296 then
    set outcome = 'too far';
  else
    insert into incumbent_fence(election, token, owner, raised_at, idle_s) values (e, t, o, utc_timestamp(6), idle)
      on duplicate key update token = values(token), owner = values(owner), raised_at = values(raised_at), idle_s = values(idle_s);
    set m = t, was = o;
  end if;
  -- Whoever installed it may write to a replica, and a mark that stays there alone fences nothing.
  if concat(@@global.read_only) not in ('0', 'OFF') then
    signal sqlstate 'HY000' set mysql_errno = 1290, message_text = 'the server is read-only, as a replica is: its mark would be there alone';
  end if;
  commit;
  select outcome as outcome, m as token, was as owner;
end
//
-- What the triggers of a guarded table call for each row. It locks before it reads anything, as an admission does.
create or replace procedure incumbent_guard(in e varchar(255) character set ascii collate ascii_bin)
  sql security definer reads sql data
begin
  declare m bigint default null;
  declare noted varchar(4000) character set ascii collate ascii_bin default coalesce(@incumbent_admitted, ';');
  declare starts int default locate(concat(';', e, '='), noted);
  declare borne bigint unsigned;
  declare said varchar(1000) character set utf8mb4;
  if starts = 0 then
    set said = left(concat('not admitted: this session bears no token of ', e), 128);
    signal sqlstate 'IF003' set message_text = said;
  end if;
  set borne = cast(substring_index(substr(noted, starts + char_length(e) + 2), ';', 1) as unsigned);
  select token into m from incumbent_fence where election = e lock in share mode;
  if m is null or borne > m then
    set said = left(concat('token ', borne, ' of ', e, ' was not raised here: the mark is ', coalesce(m, 'absent')), 128);
    signal sqlstate 'IF002' set message_text = said;
  end if;
  if borne < m then
    set said = left(concat('stale token ', borne, ' of ', e, ': the mark is ', m), 128);
    signal sqlstate 'IF001' set message_text = said;
  end if;
end
//
