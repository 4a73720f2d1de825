# says: "pointer":"/rules/0/ratelimit
# says: requests_per_period

variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id = var.zone_id
  name    = "default"
  kind    = "zone"
  phase   = "http_ratelimit"
  rules = [{
    action     = "block"
    expression = "true"
    ratelimit = {
      characteristics = ["cf.colo.id", "ip.src"]
      period          = 60
    }
  }]
}
