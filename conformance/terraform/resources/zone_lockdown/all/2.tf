variable "zone_id" {}
variable "domain" {}

resource "cloudflare_zone_lockdown" "this" {
  zone_id     = var.zone_id
  description = "two offices"
  paused      = true
  urls        = ["${var.domain}/admin/*", "www.${var.domain}/*"]
  configurations = [
    { target = "ip", value = "192.0.2.7" },
    { target = "ip_range", value = "198.51.100.0/24" },
  ]
}
