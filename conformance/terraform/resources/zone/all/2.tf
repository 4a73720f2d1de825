variable "account_id" {}
variable "domain" {}

resource "cloudflare_zone" "this" {
  name   = "made.${var.domain}"
  type   = "partial"
  paused = true
  account = {
    id = var.account_id
  }
}
