/**
 * - `what_if_minutes`: the number of samples, their cost and the actions on their requests.
 * - `what_if_samples`: samples that some paranoia level and threshold would mitigate: the scores at the four levels,
 *   and rules as `id of the text:level:points`, separated by commas.
 */
export const whatIfSchema = `
create table if not exists what_if_minutes (
  zone integer not null, minute integer not null,
  samples integer not null, evaluated integer not null, cpu_us integer not null, left_out integer not null,
  incomplete integer not null, held integer not null,
  primary key (zone, minute)
) strict, without rowid;

create table if not exists what_if_samples (
  zone integer not null, time integer not null, ray integer not null,
  client integer not null, country integer not null, host integer not null, method integer not null,
  path integer not null, action integer not null, held integer not null,
  s1 integer not null, s2 integer not null, s3 integer not null, s4 integer not null,
  stops integer not null, rules text not null,
  primary key (zone, time, ray)
) strict, without rowid;
`
