# says: "pointer":"/rules/0/expression"
# says: Filter parsing error (1:11)
# says: unknown list "$ofices" (create the list first; its kind must fit the field)

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_custom"
  rules = [{
    action     = "block"
    expression = "ip.src in $ofices"
  }]
}
