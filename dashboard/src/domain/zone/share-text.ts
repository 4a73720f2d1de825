interface Sums {
  readonly requests: number
  readonly mitigated: number
}

/** Share of mitigated requests: `0 %`, `< 0.1 %`, `3.4 %`, `27 %`; a dash without requests. */
export function shareText({ requests, mitigated }: Sums): string {
  if (requests === 0) return '–'
  const percent = (100 * mitigated) / requests
  if (percent === 0) return '0 %'
  if (percent < 0.1) return '< 0.1 %'
  return `${percent < 10 ? percent.toFixed(1) : percent.toFixed(0)} %`
}

export function mitigatedText({ mitigated }: Sums): string {
  return `${mitigated.toLocaleString()} ${mitigated === 1 ? 'request' : 'requests'} blocked or challenged`
}
