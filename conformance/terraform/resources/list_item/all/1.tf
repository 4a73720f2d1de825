variable "account_id" {}

resource "cloudflare_list" "partners" {
  account_id = var.account_id
  name       = "partners_of_item"
  kind       = "ip"
}

resource "cloudflare_list_item" "this" {
  account_id = var.account_id
  list_id    = cloudflare_list.partners.id
  ip         = "192.0.2.9"
  comment    = "one"
}
