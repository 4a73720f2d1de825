import { limit, limits } from '../../kit/limits.ts'

export const logpushRequestLimits = limits('Logpush', {
  overviewJobsMax: limit(
    200,
    'count',
    'Enabled jobs of an account and its zones that its overview covers; jobs with a failure come first.',
  ),
  overviewWorstMax: limit(10, 'count', 'Jobs that the overview names, the worst first.'),
  countedDays: limit(30, 'days', 'Age up to which upload results are kept, by hour; earlier → 400.'),
})
