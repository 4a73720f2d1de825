# says: "pointer":"/0/ip"
# says: position 0: "192.0.2.0/40" is neither an IP address nor a CIDR range

variable "account_id" {}

resource "cloudflare_list" "this" {
  account_id = var.account_id
  name       = "wrong_item"
  kind       = "ip"
  items      = [{ ip = "192.0.2.0/40" }]
}
