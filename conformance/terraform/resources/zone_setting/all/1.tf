variable "zone_id" {}

resource "cloudflare_zone_setting" "this" {
  zone_id    = var.zone_id
  setting_id = "min_tls_version"
  value      = "1.2"
}
