variable "account_id" {}
variable "domain" {}

resource "cloudflare_zone" "this" {
  name = "made.${var.domain}"
  account = {
    id = var.account_id
  }
}
