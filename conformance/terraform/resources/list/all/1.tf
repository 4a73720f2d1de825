variable "account_id" {}

resource "cloudflare_list" "this" {
  account_id  = var.account_id
  name        = "partners"
  kind        = "ip"
  description = "offices of partners"
  items = [
    { ip = "192.0.2.1", comment = "one" },
    { ip = "198.51.100.0/24" },
  ]
}
