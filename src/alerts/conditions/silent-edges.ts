import type { Condition } from '../look.ts'

/** Edges of the installation that stopped to report and have not ended. Its first account is told. */
export const silentEdges: Condition = async ({ accountId }, look) => {
  if (!(await look.isFirst(accountId))) return { findings: [], absenceOf: () => 'gone' }
  const silent = await look.once('silent edges', () => look.sources.store.logs.silent())
  const findings = silent.map(({ location, host, sinceMs }) => {
    const since = new Date(sinceMs).toISOString()
    return {
      subject: `edge ${location}`,
      text: `The edge on ${host} has not reached the database since ${since}. It may serve its last plans, or be down.`,
      endText: `The edge on ${host} reports again, or has been gone for a week.`,
      data: { host, location, silent_since: since },
    }
  })
  return { findings, absenceOf: () => 'recovered' }
}
