variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_ratelimit"
  description = "first"
  kind        = "zone"
  phase       = "http_ratelimit"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "block"
    ratelimit = {
      characteristics     = ["cf.colo.id", "ip.src"]
      period              = 60
      requests_per_period = 100
      mitigation_timeout  = 600
    }
  }]
}
