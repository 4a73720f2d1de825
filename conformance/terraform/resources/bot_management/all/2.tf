variable "zone_id" {}

resource "cloudflare_bot_management" "this" {
  zone_id    = var.zone_id
  fight_mode = false
  enable_js  = false
}
