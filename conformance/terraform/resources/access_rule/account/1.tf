variable "account_id" {}

resource "cloudflare_access_rule" "this" {
  account_id = var.account_id
  mode       = "whitelist"
  configuration = {
    target = "ip6"
    value  = "2001:0db8:0000:0000:0000:0000:0000:0001"
  }
}
