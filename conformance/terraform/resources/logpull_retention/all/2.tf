variable "zone_id" {}

resource "cloudflare_logpull_retention" "this" {
  zone_id = var.zone_id
  flag    = false
}
