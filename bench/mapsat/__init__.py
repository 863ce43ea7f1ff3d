"""MapSatisfyBench: does an agent meet the wishes that a request on a map leaves unsaid?"""
