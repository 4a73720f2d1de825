variable "zone_id" {}

resource "cloudflare_user_agent_blocking_rule" "this" {
  zone_id     = var.zone_id
  mode        = "block"
  description = "a bot"
  configuration = {
    target = "ua"
    value  = "BadBot/1.0"
  }
}
