variable "zone_id" {}

resource "cloudflare_zone_setting" "this" {
  zone_id    = var.zone_id
  setting_id = "security_level"
  value      = "high"
}
