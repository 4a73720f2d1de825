import { limit, limits } from '../../kit/limits.ts'

export const notificationLimits = limits('Notifications', {
  policiesPerAccountMax: limit(200, 'count', 'Notification policies of one account; one more → 400.'),
  webhooksPerAccountMax: limit(100, 'count', 'Webhooks of one account; one more → 400.'),
  receiversMax: limit(20, 'count', 'Receivers of one kind in a policy; more → 400.'),
  textCharactersMax: limit(
    1024,
    'characters',
    'Name and description of a policy, name and secret of a webhook; longer → 400.',
  ),
  webhookUrlCharactersMax: limit(4096, 'characters', 'URL of a webhook; longer → 400.'),
  filtersMax: limit(50, 'count', 'Filters of a policy; more → 400.'),
  filterValuesMax: limit(1000, 'count', 'Values of one filter of a policy; more → 400.'),
})
