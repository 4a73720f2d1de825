import { useParams } from '@tanstack/react-router'

/** Id of the current zone; only for zone pages. */
export function useZoneId(): string {
  const { zoneId } = useParams({ strict: false }) as { readonly zoneId?: string }
  if (zoneId === undefined) throw new Error('this page is outside a zone')
  return zoneId
}
