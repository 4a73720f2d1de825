variable "account_id" {}

resource "cloudflare_notification_policy_webhooks" "this" {
  account_id = var.account_id
  name       = "renamed"
  url        = "http://127.0.0.1:9/other"
}
