variable "zone_id" {}

resource "cloudflare_healthcheck" "this" {
  zone_id     = var.zone_id
  name        = "shop"
  address     = "192.0.2.2"
  type        = "HTTPS"
  description = "the second server"
  suspended   = true
  interval    = 120
  retries     = 1
  http_config = {
    method         = "HEAD"
    path           = "/"
    port           = 443
    expected_codes = ["200"]
  }
}
