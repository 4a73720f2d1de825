variable "zone_id" {}

resource "cloudflare_universal_ssl_setting" "this" {
  zone_id = var.zone_id
  enabled = false
}
