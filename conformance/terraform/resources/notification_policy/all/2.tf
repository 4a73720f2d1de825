variable "account_id" {}

resource "cloudflare_notification_policy_webhooks" "chat" {
  account_id = var.account_id
  name       = "chat"
  url        = "http://127.0.0.1:9/hook"
}

resource "cloudflare_notification_policy" "this" {
  account_id  = var.account_id
  name        = "failing jobs of the shop"
  enabled     = false
  description = "for the shop"
  alert_type  = "failing_logpush_job_disabled_alert"
  mechanisms = {
    webhooks = [{ id = cloudflare_notification_policy_webhooks.chat.id }]
  }
}
