"""What teams do with Cloudflare's Python SDK. `test/e2e/python-sdk.test.ts` runs this against an instance.

CLOUDFLARE_BASE_URL and CLOUDFLARE_API_TOKEN name the instance, ACCOUNT and ZONE its objects, FILES a folder for logs.
The client checks every answer against the SDK's types.
"""

import json
import os
import time
import unittest
from contextlib import contextmanager

import cloudflare
from cloudflare import Cloudflare

ACCOUNT, ZONE, FILES = (os.environ[name] for name in ("ACCOUNT", "ZONE", "FILES"))
OWASP = "4814384a9e5d4991b9815dcfc25d2f1f"
SCORE_RULE = "6179ae15870a4bb7b2d480d4843b323c"
MANAGED = "http_request_firewall_managed"
CUSTOM = "http_request_firewall_custom"
UNKNOWN = "0" * 32


def client_with(token, strict=True):
    base_url = os.environ["CLOUDFLARE_BASE_URL"]
    return Cloudflare(base_url=base_url, api_token=token, _strict_response_validation=strict)


client = client_with(os.environ["CLOUDFLARE_API_TOKEN"])
# The SDK's types demand an expression of every rule. Managed rules have none, here and at Cloudflare.
lenient = client_with(client.api_token, strict=False)


class Flow(unittest.TestCase):
    maxDiff = None

    @contextmanager
    def refused(self, kind, code, message):
        with self.assertRaises(kind) as caught:
            yield
        first = caught.exception.errors[0]
        self.assertEqual(first.code, code)
        self.assertRegex(first.message, message)
        self.assertEqual(caught.exception.status_code, kind.status_code)


class Zones(Flow):
    def test_listed_and_read(self):
        zones = list(client.zones.list(account={"id": ACCOUNT}, per_page=5))
        self.assertIn(ZONE, [zone.id for zone in zones])
        self.assertEqual(client.zones.get(zone_id=ZONE).name, "python.test")
        with self.refused(cloudflare.NotFoundError, 7003, "Could not route"):
            client.zones.get(zone_id=UNKNOWN)

    def test_dns_records(self):
        records = client.dns.records
        made = records.create(zone_id=ZONE, type="A", name="www", content="192.0.2.1", ttl=1, proxied=True)
        self.assertEqual((made.name, made.proxied), ("www.python.test", True))
        changed = records.edit(made.id, zone_id=ZONE, type="A", name="www", content="192.0.2.2", ttl=1)
        self.assertEqual(changed.content, "192.0.2.2")
        self.assertEqual([one.id for one in records.list(zone_id=ZONE, type="A")], [made.id])
        self.assertIn("192.0.2.2", records.export(zone_id=ZONE))
        with self.refused(cloudflare.BadRequestError, 9005, "IPv4"):
            records.create(zone_id=ZONE, type="A", name="bad", content="no address", ttl=1)
        self.assertEqual(records.delete(made.id, zone_id=ZONE).id, made.id)


class Rulesets(Flow):
    """The answer of a write has no type in the SDK: it is a dictionary."""

    def test_listed_and_read(self):
        self.assertIn(OWASP, [one.id for one in client.rulesets.list(account_id=ACCOUNT)])
        owasp = lenient.rulesets.get(OWASP, zone_id=ZONE)
        self.assertEqual((owasp.kind, owasp.phase, owasp.rules[-1].id), ("managed", MANAGED, SCORE_RULE))

    def test_custom_rules(self):
        made = client.rulesets.phases.update(
            CUSTOM, zone_id=ZONE, rules=[{"action": "block", "expression": 'http.host eq "a"', "ref": "a"}]
        )
        added = client.rulesets.rules.create(
            made["id"],
            zone_id=ZONE,
            action="log",
            expression="true",
            ref="b",
            position={"before": made["rules"][0]["id"]},
        )
        self.assertEqual([rule["ref"] for rule in added["rules"]], ["b", "a"])
        with self.refused(cloudflare.BadRequestError, 20205, r"Filter parsing error \(1:1\)"):
            client.rulesets.phases.update(CUSTOM, zone_id=ZONE, rules=[{"action": "block", "expression": "a eq"}])
        client.rulesets.delete(made["id"], zone_id=ZONE)

    def test_the_owasp_ruleset_is_deployed_and_tuned(self):
        overrides = {
            "categories": [{"category": f"paranoia-level-{level}", "enabled": False} for level in (2, 3, 4)],
            "rules": [{"id": SCORE_RULE, "action": "managed_challenge", "score_threshold": 25}],
        }

        def deploy():
            parameters = {"id": OWASP, "overrides": overrides}
            rule = {"action": "execute", "expression": "true", "action_parameters": parameters}
            return client.rulesets.phases.update(MANAGED, zone_id=ZONE, rules=[rule])

        self.assertEqual(deploy()["rules"][0]["action_parameters"]["overrides"], overrides)
        single = lenient.rulesets.get(OWASP, zone_id=ZONE).rules[0].id
        overrides["rules"].append({"id": single, "enabled": False})
        overrides["action"] = "log"
        deploy()
        found = client.rulesets.phases.get(MANAGED, zone_id=ZONE).rules[0].action_parameters.overrides
        self.assertEqual([one.id for one in found.rules], [SCORE_RULE, single])
        self.assertEqual((found.action, found.rules[1].enabled), ("log", False))
        overrides["rules"][0]["score_threshold"] = -1
        with self.refused(cloudflare.BadRequestError, 20203, "score_threshold"):
            deploy()

    def test_log_fields_are_chosen(self):
        parameters = {"request_fields": [{"name": "x-team"}], "cookie_fields": [{"name": "visitor"}]}
        rule = {"action": "log_custom_field", "expression": "true", "action_parameters": parameters}
        client.rulesets.phases.update("http_log_custom_fields", zone_id=ZONE, rules=[rule])
        found = client.rulesets.phases.get("http_log_custom_fields", zone_id=ZONE).rules[0].action_parameters
        self.assertEqual([found.request_fields[0].name, found.cookie_fields[0].name], ["x-team", "visitor"])


class Logpush(Flow):
    def test_a_job_with_a_filter(self):
        jobs = client.logpush.jobs
        destination = f"file://{FILES}/{{DATE}}"
        where = {"key": "EdgeResponseStatus", "operator": "geq", "value": 400}
        made = jobs.create(
            zone_id=ZONE,
            name="python",
            dataset="http_requests",
            destination_conf=destination,
            enabled=True,
            filter=json.dumps({"where": {"and": [where]}}),
            output_options={"field_names": ["RayID", "ClientIP"], "timestamp_format": "rfc3339"},
        )
        self.assertEqual(made.output_options.field_names, ["RayID", "ClientIP"])
        self.assertIn(made.id, [one.id for one in jobs.list(zone_id=ZONE)])
        self.assertIn("RayID", client.logpush.datasets.fields.get("http_requests", zone_id=ZONE))
        self.assertFalse(jobs.update(made.id, zone_id=ZONE, enabled=False).enabled)
        with self.refused(cloudflare.BadRequestError, 1006, 'no field "NoField"'):
            wrong = {"where": {"key": "NoField", "operator": "eq", "value": 1}}
            jobs.update(made.id, zone_id=ZONE, filter=json.dumps(wrong))
        self.assertEqual(jobs.delete(made.id, zone_id=ZONE).id, made.id)


class Lists(Flow):
    def done(self, operation):
        bulk = client.rules.lists.bulk_operations
        for _ in range(500):
            found = bulk.get(operation.operation_id, account_id=ACCOUNT)
            if found.status not in ("pending", "running"):
                return self.assertEqual(found.status, "completed")
            time.sleep(0.01)
        self.fail(f"the bulk operation {operation.operation_id} does not end")

    def test_with_items_and_bulk_operations(self):
        lists = client.rules.lists
        made = lists.create(account_id=ACCOUNT, kind="ip", name="python")
        place = {"account_id": ACCOUNT}
        self.done(lists.items.create(made.id, **place, body=[{"ip": f"192.0.2.{n}"} for n in range(1, 121)]))
        items = list(lists.items.list(made.id, **place, per_page=50))
        self.assertEqual(len(items), 120)
        self.assertEqual(lists.items.get(items[0].id, **place, list_id=made.id).ip, items[0].ip)
        self.done(lists.items.delete(made.id, **place, items=[{"id": items[0].id}]))
        self.assertEqual(lists.get(made.id, **place).num_items, 119)
        self.done(lists.items.update(made.id, **place, body=[{"ip": "2001:db8::/48", "comment": "home"}]))
        self.assertEqual([one.comment for one in lists.items.list(made.id, **place)], ["home"])
        self.assertEqual(lists.update(made.id, **place, description="ours").description, "ours")
        with self.refused(cloudflare.BadRequestError, 10028, "300.0.0.1|position"):
            lists.items.create(made.id, **place, body=[{"ip": "300.0.0.1"}])
        self.assertEqual(lists.delete(made.id, **place).id, made.id)


class Tokens(Flow):
    def policy(self):
        scope = "com.cloudflare.api.account.zone"
        groups = client.user.tokens.permission_groups.list(name="Zone Read", scope=scope)
        group = next(iter(groups))
        return {
            "effect": "allow",
            "permission_groups": [{"id": group.id}],
            "resources": {f"{scope}.{ZONE}": "*"},
        }

    def test_of_the_user(self):
        tokens = client.user.tokens
        made = tokens.create(name="python", policies=[self.policy()])
        machine = client_with(made.value)
        self.assertEqual(machine.user.tokens.verify().id, made.id)
        self.assertEqual([zone.id for zone in machine.zones.list()], [ZONE])
        with self.refused(cloudflare.PermissionDeniedError, 10000, "Authentication error"):
            list(machine.rulesets.list(zone_id=ZONE))
        value = tokens.value.update(made.id)
        with self.refused(cloudflare.AuthenticationError, 1000, "Invalid API Token"):
            machine.user.tokens.verify()
        self.assertEqual(client_with(value).user.tokens.verify().status, "active")
        self.assertEqual(tokens.delete(made.id).id, made.id)

    def test_of_the_account(self):
        tokens = client.accounts.tokens
        made = tokens.create(account_id=ACCOUNT, name="python", policies=[self.policy()])
        self.assertEqual(client_with(made.value).accounts.tokens.verify(account_id=ACCOUNT).id, made.id)
        self.assertEqual(tokens.get(made.id, account_id=ACCOUNT).name, "python")
        tokens.delete(made.id, account_id=ACCOUNT)
        with self.refused(cloudflare.NotFoundError, 10407, "could not find API token"):
            tokens.get(made.id, account_id=ACCOUNT)


if __name__ == "__main__":
    unittest.main()
