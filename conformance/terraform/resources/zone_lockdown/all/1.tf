variable "zone_id" {}
variable "domain" {}

resource "cloudflare_zone_lockdown" "this" {
  zone_id     = var.zone_id
  description = "the office alone"
  urls        = ["${var.domain}/admin/*"]
  configurations = [{
    target = "ip"
    value  = "192.0.2.7"
  }]
}
