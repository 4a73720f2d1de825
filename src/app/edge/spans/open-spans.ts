import type { openSdkSpans } from './sdk.ts'

/** As `openSdkSpans`. The SDK takes time and memory, so it is loaded with the first use. */
export async function openSpans(
  ...input: Parameters<typeof openSdkSpans>
): Promise<ReturnType<typeof openSdkSpans>> {
  return (await import('./sdk.ts')).openSdkSpans(...input)
}
