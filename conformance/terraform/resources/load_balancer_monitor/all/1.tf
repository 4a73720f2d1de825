variable "account_id" {}

resource "cloudflare_load_balancer_monitor" "this" {
  account_id     = var.account_id
  type           = "https"
  description    = "the login page"
  path           = "/health"
  port           = 8443
  interval       = 60
  consecutive_up = 2
  expected_codes = "2xx"
  expected_body  = "alive"
  header = {
    Host = ["shop.example.com"]
  }
}
