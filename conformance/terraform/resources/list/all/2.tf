variable "account_id" {}

resource "cloudflare_list" "this" {
  account_id  = var.account_id
  name        = "partners"
  kind        = "ip"
  description = "offices"
  items       = [{ ip = "192.0.2.2" }]
}
