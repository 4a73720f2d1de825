variable "zone_id" {}

resource "cloudflare_ruleset" "this" {
  zone_id     = var.zone_id
  name        = "http_ratelimit"
  description = "second"
  kind        = "zone"
  phase       = "http_ratelimit"
  rules = [{
    expression = "starts_with(http.request.uri.path, \"/a\")"
    action     = "log"
    ratelimit = {
      characteristics     = ["cf.colo.id", "ip.src"]
      period              = 10
      requests_per_period = 5
    }
  }]
}
