# says: "pointer":"/content"
# says: Content for A record is invalid: it must be an IPv4 address

variable "zone_id" {}

resource "cloudflare_dns_record" "this" {
  zone_id = var.zone_id
  name    = "www"
  type    = "A"
  content = "192.0.2.300"
  ttl     = 1
}
