import { useRead, useSession } from '../../api/hooks.ts'
import { DeliveryFigure } from '../../domain/logs/delivery-figure.tsx'
import { TextLink } from '../../ui/page/links.tsx'

/** Health of all Logpush jobs of the account and its zones. */
export function AccountDeliveryFigure() {
  const path = { account_id: useSession().accountId }
  const { data, error } = useRead(
    'GET /accounts/{account_id}/logpush/overview',
    { path },
    { everyMs: 15_000 },
  )
  return (
    <DeliveryFigure
      overview={data}
      error={error}
      permission="Needs Logs Read on the account"
      none={<TextLink to="/logpush">Create one for all zones</TextLink>}
      withZones
    />
  )
}
