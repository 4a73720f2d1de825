# says: "pointer":"/value"
# says: min_tls_version; it is "1.0" or "1.1" or "1.2" or "1.3"

variable "zone_id" {}

resource "cloudflare_zone_setting" "this" {
  zone_id    = var.zone_id
  setting_id = "min_tls_version"
  value      = "1.4"
}
