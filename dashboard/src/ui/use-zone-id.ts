import { useParams } from '@tanstack/react-router'

/** Id of the zone that the address names; pages of zones have one. */
export function useZoneId(): string {
  const { zoneId } = useParams({ strict: false }) as { readonly zoneId?: string }
  if (zoneId === undefined) throw new Error('this page is not one of a zone')
  return zoneId
}
