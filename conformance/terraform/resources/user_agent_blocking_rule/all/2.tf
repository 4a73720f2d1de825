variable "zone_id" {}

resource "cloudflare_user_agent_blocking_rule" "this" {
  zone_id     = var.zone_id
  mode        = "js_challenge"
  paused      = true
  description = "another bot"
  configuration = {
    target = "ua"
    value  = "BadBot/2.0"
  }
}
