-- The sink's side of fencing in H2 2.3 and later. Runs again without harm. The functions are Java, and so run where the database does: its class path has them.
set write_delay 0;

create table if not exists incumbent_sink(
  one int primary key check (one = 1),
  id varchar(64) not null
);
insert into incumbent_sink(one, id)
  select 1, replace(cast(random_uuid() as varchar), '-', '') where not exists (select 1 from incumbent_sink);

create table if not exists incumbent_fence(
  election varchar(255) primary key,
  token bigint not null check (token >= 1),
  owner varchar(600) not null,
  raised_at timestamp with time zone not null
);

-- H2 has no shared row locks. Each admission locks one of an election's slots, each raise all of them, and each slot bears the mark's token.
create table if not exists incumbent_slot(
  election varchar(255) not null,
  slot int not null,
  token bigint not null,
  primary key (election, slot)
);

-- The user's tables that refuse unadmitted writes.
create table if not exists incumbent_guard(
  guarded varchar(255) primary key,
  election varchar(255) not null
);

create alias if not exists incumbent_admit for 'dev.incumbent.fence.sql.H2Functions.admit';
create alias if not exists incumbent_raise for 'dev.incumbent.fence.sql.H2Functions.raise';
