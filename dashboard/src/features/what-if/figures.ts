/** `0 %`, `< 0.1 %`, `3.4 %`, `27 %`. */
export function percentText(share: number): string {
  const percent = 100 * share
  if (percent === 0) return '0 %'
  if (percent < 0.1) return '< 0.1 %'
  return `${percent.toLocaleString(undefined, { maximumFractionDigits: percent < 10 ? 1 : 0 })} %`
}

/** Tint of a cell, 0–40: small shares stay distinguishable, and text on the strongest tint stays readable. */
export function heatOf(share: number): number {
  return share === 0 ? 0 : Math.round(6 + 34 * Math.sqrt(share))
}

/** Extrapolates from the samples to all requests: `about 1,200 requests`. */
export function estimateText(acted: number, samples: number, requests: number): string {
  if (samples === 0 || requests === 0) return ''
  const estimate = Math.round((acted * requests) / samples)
  return `about ${estimate.toLocaleString()} of ${requests.toLocaleString()} requests`
}

/** CPU time in milliseconds: `1.2 ms`. */
export function msText(ms: number): string {
  return `${ms.toLocaleString(undefined, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
}
