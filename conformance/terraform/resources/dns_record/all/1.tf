variable "zone_id" {}
variable "domain" {}

resource "cloudflare_dns_record" "this" {
  zone_id = var.zone_id
  name    = "www.${var.domain}"
  type    = "A"
  content = "192.0.2.10"
  proxied = true
  ttl     = 1
}
