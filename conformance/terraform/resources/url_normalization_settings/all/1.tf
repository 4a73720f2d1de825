variable "zone_id" {}

resource "cloudflare_url_normalization_settings" "this" {
  zone_id = var.zone_id
  type    = "rfc3986"
  scope   = "incoming"
}
