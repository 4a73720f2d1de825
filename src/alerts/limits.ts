import { limit, limits, tuning } from '../kit/limits.ts'

export const alertLimits = limits('Notifications', {
  lookMs: limit(60_000, 'ms', 'Interval at which the states that policies ask for are looked at.'),
  lagMs: limit(600_000, 'ms', 'Time for which records wait for a job before it counts as behind.'),
  jobsMax: limit(
    1000,
    'count',
    'Jobs of one account whose lag is looked at; jobs with a failure come first.',
  ),
  zonesMax: limit(500, 'count', 'Zones of one policy whose requests are looked at, the busiest first.'),
  spikeEvents: limit(200, 'count', 'Security events in five minutes; fewer are never a spike.'),
  errorResponses: limit(20, 'count', 'Responses of 5xx in five minutes; fewer are never an alert.'),
  sendMsMax: limit(10_000, 'ms', 'Time for a webhook or an SMTP server to take a notification.'),
  discordCharactersMax: limit(
    2000,
    'characters',
    "A message for Discord (Discord's own limit); the rest is cut.",
  ),
  attemptsMax: limit(10, 'count', 'Attempts to send one notification; then it is given up.'),
  firstRetryMs: limit(
    60_000,
    'ms',
    'Wait after the first failed attempt. Each further failure doubles it, up to `retryMsMax`.',
  ),
  retryMsMax: limit(3_600_000, 'ms', 'Longest wait after a failed attempt.'),
  keptDays: limit(90, 'days', 'Age at which a notification leaves the history.'),
  sendsAtOnceMax: tuning(8, 'count', 'Notifications of one account that a process sends at the same time.'),
  sendsPerLookMax: tuning(
    200,
    'count',
    'Notifications of one look, of each account in turn; the next look sends the rest.',
  ),
})
