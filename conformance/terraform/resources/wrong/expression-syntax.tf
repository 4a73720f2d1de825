# says: "pointer":"/rules/0/expression"
# says: Filter parsing error (1:30)
# says: andd ip.src eq 192.0.2.1

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_request_firewall_custom"
  rules = [{
    action     = "block"
    expression = "http.host eq \"a.example.com\" andd ip.src eq 192.0.2.1"
  }]
}
