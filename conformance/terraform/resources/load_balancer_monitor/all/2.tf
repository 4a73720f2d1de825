variable "account_id" {}

resource "cloudflare_load_balancer_monitor" "this" {
  account_id       = var.account_id
  type             = "http"
  description      = "the start page"
  expected_codes   = "200"
  follow_redirects = true
  timeout          = 3
  retries          = 1
}
