variable "zone_id" {}

resource "cloudflare_healthcheck" "this" {
  zone_id = var.zone_id
  name    = "shop"
  address = "192.0.2.1"
  type    = "HTTPS"
  http_config = {
    method         = "GET"
    path           = "/health"
    port           = 8443
    expected_codes = ["2xx", "302"]
    expected_body  = "alive"
  }
}
