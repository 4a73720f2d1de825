import { Stack } from '@mantine/core'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { PoliciesSection } from './policies-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'

/** Notification policies and webhooks, with a test of each. */
export default function NotificationsPage() {
  return (
    <>
      <PageHeader
        title="Notifications"
        text="Policies and webhooks come from the API or Terraform. Send a test to see that their receivers take it."
      />
      <Stack gap="md">
        <PoliciesSection />
        <WebhooksSection />
      </Stack>
    </>
  )
}
